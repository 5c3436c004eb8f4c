import { createServer, type RequestListener } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";

/** The process of an S3 server (s3rver): keeps a bucket in a folder, says its port, and goes when its test does. */
interface S3rver {
  configureBuckets(): Promise<unknown>;
  callback(): RequestListener;
}

// It says nothing of its types.
const S3rver = createRequire(import.meta.url)("@20minutes/s3rver") as new (options: object) => S3rver;

const [directory, bucket] = process.argv.slice(2);
const options = { directory, silent: true, vhostBuckets: false };
const strict = new S3rver({ ...options, configureBuckets: [{ name: bucket }] });
await strict.configureBuckets();
// It leaves out the slash behind a bucket's name, which is signed: those signatures alone are let pass.
const lenient = new S3rver({ ...options, allowMismatchedSignatures: true });
const [answerFile, answerBucket] = [strict.callback(), lenient.callback()];

const isOfBucket = (path = "") => /^\/[^/]+\/\?/.test(path);
const server = createServer((request, response) => {
  (isOfBucket(request.url) ? answerBucket : answerFile)(request, response);
});
server.listen(0, "127.0.0.1", () => process.stdout.write(`${(server.address() as AddressInfo).port}\n`));
process.stdin.on("end", () => process.exit(0)).resume();
