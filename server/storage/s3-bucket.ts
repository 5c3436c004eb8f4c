import type { S3 } from "@aws-sdk/client-s3";
import type { S3Config } from "./s3-config.ts";
import { StorageAway } from "./storage.ts";

/** Timeouts of a bucket, in ms. */
export interface Timeouts {
  connectMs: number;
  /** Until the answer begins, per attempt. */
  answerMs: number;
  /** For the whole call with its retries. */
  callMs: number;
  /** The same, where bytes are sent to it. */
  sendMs: number;
  /** Until the next bytes of a file come. */
  stallMs: number;
}

export const TIMEOUTS: Timeouts = {
  connectMs: 3_000,
  answerMs: 8_000,
  callMs: 20_000,
  sendMs: 180_000,
  stallMs: 20_000,
};

/** Attempts per call, with exponential backoff and jitter. */
const ATTEMPTS = 3;
/** Unlimited: each slow reader holds a connection, and no other reader may wait for it. */
const CONNECTIONS = { keepAlive: true, maxSockets: Infinity };

/** A file that is not in the bucket. */
export class NoSuchFile extends Error {}

type Ask<T> = (s3: S3, options: { abortSignal: AbortSignal; requestTimeout?: number }) => Promise<T>;

/** A client of one bucket. The SDK is loaded at the first call. */
export class Bucket {
  readonly timeouts: Timeouts;
  readonly #place: S3Config;
  #s3: Promise<S3> | undefined;

  constructor(place: S3Config, timeouts: Timeouts) {
    this.#place = place;
    this.timeouts = timeouts;
  }

  get name(): string {
    return this.#place.bucket;
  }

  /** A file's address in the bucket. */
  at(name: string): { Bucket: string; Key: string } {
    return { Bucket: this.#place.bucket, Key: this.#place.prefix + name };
  }

  /** The file's name behind a key. */
  nameOf(key: string): string {
    return key.slice(this.#place.prefix.length);
  }

  /** Throws NoSuchFile, or a StorageAway that says what failed and why. */
  ask<T>(about: string, call: Ask<T>): Promise<T> {
    const abortSignal = AbortSignal.timeout(this.timeouts.callMs);
    return this.#askWith(about, (s3) => call(s3, { abortSignal }));
  }

  /** The same for calls that send many bytes. */
  send<T>(about: string, call: Ask<T>): Promise<T> {
    const { sendMs } = this.timeouts;
    const abortSignal = AbortSignal.timeout(sendMs);
    return this.#askWith(about, (s3) => call(s3, { abortSignal, requestTimeout: sendMs }));
  }

  /** The same for a stream that runs until the caller aborts it. */
  open<T>(about: string, abortSignal: AbortSignal, call: Ask<T>): Promise<T> {
    return this.#askWith(about, (s3) => call(s3, { abortSignal }));
  }

  async #askWith<T>(about: string, call: (s3: S3) => Promise<T>): Promise<T> {
    const s3 = await (this.#s3 ??= connect(this.#place, this.timeouts));
    try {
      return await call(s3);
    } catch (error) {
      throw faultOf(`${about} in s3://${this.#place.bucket}`, error as AnswerError);
    }
  }
}

async function connect(place: S3Config, { connectMs, answerMs }: Timeouts): Promise<S3> {
  const { S3 } = await import("@aws-sdk/client-s3");
  const { endpoint, region, accessKeyId, secretAccessKey, pathStyle } = place;
  return new S3({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    maxAttempts: ATTEMPTS,
    retryMode: "standard",
    // The signature covers what is sent; not every store knows the newer sums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: connectMs,
      requestTimeout: answerMs,
      throwOnRequestTimeout: true,
      // A reader who pauses leaves the connection idle: S3Body minds those that stall.
      socketTimeout: 0,
      httpAgent: CONNECTIONS,
      httpsAgent: CONNECTIONS,
    },
  });
}

type AnswerError = Error & { code?: string; $metadata?: { httpStatusCode?: number } };

/** An error with nothing but the reason, for the log: the SDK's errors carry the whole request. */
function faultOf(about: string, { name, code, message, $metadata }: AnswerError): Error {
  const status = $metadata?.httpStatusCode;
  if (status === 404 && name !== "NoSuchBucket") return new NoSuchFile(`${about} does not exist`);
  const reason = name === "AbortError" ? ["no answer in time"] : [name, code, status && `HTTP ${status}`, message];
  return new StorageAway(`${about}: ${reason.filter(Boolean).join(", ")}`);
}
