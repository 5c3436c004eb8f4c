/** Fictional members who comment in the demo. They are marked as demo members and cannot log in. */
export const DEMO_COMMENTERS = [
  {
    username: "demo_linh",
    texts: [
      "Rất đúng giờ và thân thiện, khách mời của chúng tôi ai cũng hài lòng.",
      "Dẫn chương trình duyên dáng, không khí rất ấm áp.",
      "Chuẩn bị kịch bản kỹ lưỡng, tôi sẽ mời lại lần sau.",
    ],
  },
  {
    username: "demo_minji",
    texts: [
      "시간 약속을 잘 지키고 진행이 매끄러웠어요.",
      "촬영 내내 밝은 분위기를 만들어 주셨습니다.",
      "행사 안내가 친절해서 손님들이 좋아했어요.",
    ],
  },
  {
    username: "demo_sora",
    texts: [
      "打ち合わせから丁寧で、安心してお任せできました。",
      "受付の対応がとても上品でした。",
      "撮影がスムーズに進み、仕上がりにも満足です。",
    ],
  },
  {
    username: "demo_alex",
    texts: [
      "Well prepared and on time. Our product launch went smoothly.",
      "Friendly with every guest, and a clear voice on stage.",
      "Great eye for the brief. The catalogue pictures came out lovely.",
    ],
  },
  {
    username: "demo_somchai",
    texts: ["ตรงต่อเวลาและเป็นมืออาชีพมาก", "ต้อนรับแขกอย่างอบอุ่น งานเปิดร้านผ่านไปด้วยดี", "สื่อสารง่าย เตรียมตัวมาดี แนะนำเลย"],
  },
  {
    username: "demo_olga",
    texts: [
      "Всё прошло по плану, гости остались довольны.",
      "Приятно работать: внимательна к деталям и всегда улыбается.",
      "Отличная ведущая, программа была живой и лёгкой.",
    ],
  },
];
