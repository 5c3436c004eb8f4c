import { useEffect, useState } from "react";
import { formatTime } from "#shared/format.ts";
import { localText } from "#shared/locales.ts";
import { readLocal } from "./LocalField.tsx";
import { OddsPreview } from "./OddsPreview.tsx";
import { Phone } from "./Phone.tsx";
import { PlansPreview } from "./PlansPreview.tsx";
import { PrizesPreview } from "./PrizesPreview.tsx";

interface Props {
  command: string;
  words: Readonly<Record<string, string>>;
  files: Readonly<Record<string, File | null>>;
}

/** What members will see once a command is given. Nothing for a command that shows them nothing new. */
export function Preview({ command, words, files }: Props) {
  switch (command) {
    case "notice:add":
      return <NoticePreview name={words.name ?? ""} text={words.text ?? ""} />;
    case "banner:add":
      return <BannerPreview picture={files.FILE ?? null} caption={words.caption ?? ""} />;
    case "prize:set":
      return <PrizesPreview file={files["FILE.json"] ?? null} />;
    case "plan:set":
      return <PlansPreview file={files["FILE.json"] ?? null} />;
    case "lottery:add":
      return <OddsPreview kind={words.kind ?? ""} />;
    default:
      return null;
  }
}

function NoticePreview({ name, text }: { name: string; text: string }) {
  if (name === "" && text === "") return null;
  const [title, body] = [readLocal(name), readLocal(text)];
  return (
    <Phone texts={[title, body]}>
      {(code) => (
        <div className="card">
          <b>{localText(title, code)}</b>
          <small>{formatTime(Date.now(), code, { dateStyle: "medium", timeStyle: "short" })}</small>
          <span>{localText(body, code)}</span>
        </div>
      )}
    </Phone>
  );
}

/** The address of a file that was chosen and is not sent anywhere to be shown. */
function useAddress(file: File | null): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    const made = file === null ? "" : URL.createObjectURL(file);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return address;
}

function BannerPreview({ picture, caption }: { picture: File | null; caption: string }) {
  const address = useAddress(picture);
  if (address === "") return null;
  const words = readLocal(caption);
  return (
    <Phone texts={caption === "" ? [] : [words]}>
      {(code) => (
        <div className="banner">
          <img src={address} alt="" />
          {localText(words, code) !== "" && <span>{localText(words, code)}</span>}
        </div>
      )}
    </Phone>
  );
}

/** A setting that is a text, in the language of its readers. */
export function SettingPreview({ value }: { value: string }) {
  if (value === "") return null;
  const text = readLocal(value);
  return <Phone texts={[text]}>{(code) => <div className="card">{localText(text, code)}</div>}</Phone>;
}
