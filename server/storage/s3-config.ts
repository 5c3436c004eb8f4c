/** A bucket of an S3-compatible store, and how it is reached. */
export interface S3Config {
  bucket: string;
  /** The prefix of every key: empty, or a folder with its `/`. */
  prefix: string;
  endpoint: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** The bucket stands in the path, not in the host's name. */
  pathStyle: boolean;
}

type Value = (name: string) => string | undefined;

const NAMES = ["S3_ENDPOINT", "S3_REGION", "S3_ACCESS_KEY_ID", "S3_SECRET_ACCESS_KEY", "S3_PATH_STYLE"];
const ADDRESS = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w-]+(?:\/[\w-]+)*))?\/?$/;

/** Reads STORAGE and the bucket's settings; null for the folder. Throws an Error that an operator understands. */
export function readS3Config(value: Value): S3Config | null {
  const storage = value("STORAGE") ?? "folder";
  if (storage === "folder") {
    const idle = NAMES.find((name) => value(name) !== undefined);
    if (idle) throw new Error(`${idle} is set, but STORAGE is not s3://BUCKET: unset it, or set STORAGE.`);
    return null;
  }
  const [, bucket, prefix] = ADDRESS.exec(storage) ?? [];
  if (bucket === undefined) throw new Error("STORAGE must be folder, s3://BUCKET or s3://BUCKET/PREFIX.");
  const needed = (name: string) => {
    const found = value(name);
    if (found === undefined) throw new Error(`${name} is not set, and STORAGE ${storage} needs it.`);
    return found;
  };
  return {
    bucket,
    prefix: prefix === undefined ? "" : `${prefix}/`,
    ...readEndpoint(value),
    accessKeyId: needed("S3_ACCESS_KEY_ID"),
    secretAccessKey: needed("S3_SECRET_ACCESS_KEY"),
  };
}

/** Amazon's endpoint by its region, or another by its address. */
function readEndpoint(value: Value): Pick<S3Config, "endpoint" | "region" | "pathStyle"> {
  const [own, region] = [value("S3_ENDPOINT"), value("S3_REGION")];
  if (own === undefined && region === undefined) throw new Error("S3_REGION is not set: Amazon's S3 needs it.");
  if (region !== undefined && !/^[a-z0-9-]+$/i.test(region))
    throw new Error("S3_REGION must be a region such as eu-central-1.");
  const style = value("S3_PATH_STYLE");
  if (style !== undefined && style !== "0" && style !== "1") throw new Error("S3_PATH_STYLE must be 0 or 1.");
  return {
    endpoint: own === undefined ? amazon(region!) : originOf(own),
    region: region ?? "us-east-1",
    pathStyle: style === undefined ? own !== undefined : style === "1",
  };
}

const amazon = (region: string) => `https://s3.${region}.amazonaws.com${region.startsWith("cn-") ? ".cn" : ""}`;

function originOf(endpoint: string): string {
  const url = URL.parse(endpoint);
  const isPlain = url && /^https?:$/.test(url.protocol) && `${url.origin}/` === url.href;
  if (!isPlain) throw new Error("S3_ENDPOINT must be an address such as https://s3.example.com, without a path.");
  return url.origin;
}
