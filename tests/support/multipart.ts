export type Field = string | File;

export interface Multipart {
  payload: Buffer;
  type: string;
}

/** A multipart/form-data body, as a browser would send it. */
export async function multipartOf(fields: Iterable<readonly [string, Field]>): Promise<Multipart> {
  const form = new FormData();
  for (const [name, value] of fields) {
    if (typeof value === "string") form.append(name, value);
    else form.append(name, value, value.name);
  }
  const body = new Response(form);
  return { payload: Buffer.from(await body.arrayBuffer()), type: body.headers.get("content-type")! };
}
