import { access, constants, stat, statfs } from "node:fs/promises";
import { isLocalUrl, isLoopback, type Config } from "#server/config/config.ts";
import { ffmpegOnPath } from "#server/programs/ffmpeg.ts";
import { checkStorage as checkBucket, storageOf } from "#server/storage/open.ts";
import { finding, type Finding } from "./finding.ts";

const GIB = 1_073_741_824;
/** With less, an hour of heavy play may fill the disk. */
const SCARCE_BYTES = GIB;
/** With less, a large commit may fail now. */
const FULL_BYTES = GIB / 10;
/** All rights of users other than the owner. */
const FOR_OTHERS = 0o077;

/** Checks where members reach the site, and whether their input is encrypted on the way. */
export function checkAddresses({ host, publicUrl, trustedProxies }: Config): Finding[] {
  const { protocol, hostname } = new URL(publicUrl);
  const isHere = isLocalUrl(publicUrl);
  if (isLoopback(host) && isHere) return [finding("ok", "addresses", `${publicUrl}, on this machine only`)];
  if (isHere || hostname === "0.0.0.0" || hostname === "[::]")
    return [
      finding(
        "wrong",
        "addresses",
        `PUBLIC_URL is ${publicUrl}, which members cannot reach`,
        "Set PUBLIC_URL to the site's address",
      ),
    ];
  const found = [finding("ok", "addresses", `members reach the site at ${publicUrl}`)];
  if (protocol !== "https:")
    found.push(
      finding(
        "wrong",
        "addresses",
        "passwords and tokens cross the network in plain text: PUBLIC_URL is not https",
        "Put a proxy with a certificate in front of the server, and set PUBLIC_URL to https://…",
      ),
    );
  if (trustedProxies.length === 0)
    found.push(
      finding(
        "note",
        "addresses",
        "no proxy is trusted: behind one, all members share one IP address",
        "Set TRUST_PROXY to the proxy's address; leave it unset if members connect directly",
      ),
    );
  return found;
}

export async function checkDataFolder({ dataDir }: Config): Promise<Finding[]> {
  const { mode } = await stat(dataDir);
  await access(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
  const { bavail, bsize } = await statfs(dataDir);
  const free = bavail * bsize;
  const room = `${(free / GIB).toFixed(1)} GiB are free in ${dataDir}`;
  const advice = "Free some space, or move DATA_DIR to a larger disk";
  const found = [
    free < FULL_BYTES
      ? finding("wrong", "data", room, advice)
      : finding(free < SCARCE_BYTES ? "note" : "ok", "data", room, free < SCARCE_BYTES ? advice : undefined),
  ];
  if (process.platform !== "win32" && mode & FOR_OTHERS)
    found.push(finding("wrong", "data", `other users can read ${dataDir}`, `chmod 700 ${dataDir}`));
  return found;
}

/** Stores a file, finds it and removes it. */
export async function checkStorage(config: Config): Promise<Finding[]> {
  await checkBucket(config);
  const storage = storageOf(config);
  const name = `doctor/${process.pid}.txt`;
  await storage.put(name, Buffer.from("doctor"));
  const found = await storage.find(name);
  await storage.remove(name);
  const place = config.s3 ? `the bucket ${config.s3.bucket}` : config.filesDir;
  return [
    found?.size === 6
      ? finding("ok", "files", `${place} stores and returns files`)
      : finding(
          "wrong",
          "files",
          `${place} did not return the file that was stored`,
          "Check STORAGE and its permissions",
        ),
  ];
}

export function checkPrograms(): Finding[] {
  return ffmpegOnPath()
    ? [finding("ok", "programs", "ffmpeg is installed")]
    : [finding("note", "programs", "ffmpeg is not installed: videos cannot be imported", "Install ffmpeg")];
}
