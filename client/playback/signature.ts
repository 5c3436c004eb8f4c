const SIGNATURE = /(?<=\/media\/v\/)[^/]+/;

export const signatureOf = (url: string): string => SIGNATURE.exec(url)?.[0] ?? "";

/** The same piece, asked for with another signature. */
export const signedWith = (url: string, signature: string): string => url.replace(SIGNATURE, signature);
