import type { LocaleCode } from "#shared/locales.ts";

interface Commenter {
  username: string;
  /** The language of the texts. */
  locale: LocaleCode;
  texts: string[];
}

/** Fictional members who comment in the demo. They are marked as demo members and cannot log in. */
export const DEMO_COMMENTERS: readonly Commenter[] = [
  {
    username: "demo_linh",
    locale: "vn_vn",
    texts: [
      "Rất đúng giờ và thân thiện, khách mời của chúng tôi ai cũng hài lòng.",
      "Dẫn chương trình duyên dáng, không khí rất ấm áp.",
      "Chuẩn bị kịch bản kỹ lưỡng, lần sau tôi sẽ mời lại.",
    ],
  },
  {
    username: "demo_minji",
    locale: "ko_kr",
    texts: [
      "시간 약속을 잘 지키고 진행이 매끄러웠어요.",
      "촬영 내내 밝은 분위기를 만들어 주셨습니다.",
      "행사 안내가 친절해서 손님들이 좋아했어요.",
    ],
  },
  {
    username: "demo_sora",
    locale: "ja_ja",
    texts: [
      "打ち合わせから丁寧で、安心してお任せできました。",
      "受付の対応がとても上品でした。",
      "撮影がスムーズに進み、仕上がりにも満足です。",
    ],
  },
  {
    username: "demo_alex",
    locale: "en_us",
    texts: [
      "Well prepared and on time. Our product launch went smoothly.",
      "Friendly with every guest, and a clear voice on stage.",
      "Understood the brief at once. The catalogue pictures came out lovely.",
    ],
  },
  {
    username: "demo_somchai",
    locale: "th_th",
    texts: ["ตรงต่อเวลาและเป็นมืออาชีพมาก", "ต้อนรับแขกอย่างอบอุ่น งานเปิดร้านผ่านไปด้วยดี", "สื่อสารง่าย เตรียมตัวมาดี แนะนำเลย"],
  },
  {
    username: "demo_olga",
    locale: "ru_ru",
    texts: [
      "Всё прошло по плану, гости остались довольны.",
      "Приятно работать: внимательна к деталям и всегда улыбается.",
      "Отличная ведущая, программа была живой и лёгкой.",
    ],
  },
  {
    username: "demo_camila",
    locale: "es_spa",
    texts: [
      "Llegó puntual y con el guion aprendido; la inauguración salió perfecta.",
      "Atendió a cada invitado con una sonrisa. La volveremos a llamar.",
      "Muy buena presencia ante la cámara y paciencia con todo el equipo.",
    ],
  },
  {
    username: "demo_aisyah",
    locale: "ms_my",
    texts: [
      "Menepati masa dan mesra, tetamu kami semuanya berpuas hati.",
      "Majlis berjalan lancar kerana persediaannya sangat rapi.",
      "Mudah bekerjasama, hasil gambarnya pun cantik.",
    ],
  },
  {
    username: "demo_xiaoyu",
    locale: "zh_cn",
    texts: [
      "准时又专业，新品发布会进行得很顺利。",
      "主持风格自然大方，现场气氛特别好。",
      "沟通很省心，样片出来大家都满意。",
    ],
  },
  {
    username: "demo_yating",
    locale: "zh-tw",
    texts: [
      "事前準備很充分，開幕活動圓滿結束。",
      "對每位賓客都很親切，口條也清楚。",
      "拍攝過程很順，成品比想像中還好看。",
    ],
  },
];
