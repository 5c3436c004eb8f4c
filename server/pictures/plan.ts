export interface PicturePlan {
  /** Of the files, from narrow to wide; a picture that is narrower is kept at its own width. */
  widths: readonly number[];
  formats: readonly ("avif" | "webp")[];
  /** Cut out of the middle. */
  square?: boolean;
}

export interface EncodedPicture {
  widths: number[];
  ratio: number;
  blur: string;
  files: { width: number; format: "avif" | "webp"; bytes: Buffer }[];
}
