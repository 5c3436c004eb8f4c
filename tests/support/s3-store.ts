import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

/** The process of an S3 server (s3rver): it stores a bucket in a folder, reports its port, and ends with its test. */
interface S3rver {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}

// The package has no types.
const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (options: object) => S3rver;

const [directory, bucket] = process.argv.slice(2);
const options = { directory, silent: true, vhostBuckets: false };
const strict = new S3rver({ ...options, configureBuckets: [{ name: bucket }] });
await strict.configureBuckets();
// S3rver omits the slash after the bucket's name, which is signed: only those signatures are let through.
const lenient = new S3rver({ ...options, allowMismatchedSignatures: true });
const [answerFile, answerBucket] = [strict.callback(), lenient.callback()];

const isOfBucket = (path = "") => /^\/[^/]+\/\?/.test(path);
const server = createServer((request, response) => {
  (isOfBucket(request.url) ? answerBucket : answerFile)(request, response);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on("end", () => process.exit(0)).resume();
