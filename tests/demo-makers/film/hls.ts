import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, readdirSync, rmSync, statSync } from "node:fs";
import { FPS, SEGMENT_S, sceneOf, type Clip } from "./clip.ts";
import { framesOf } from "./come-round.ts";
import { createSurface, HEIGHT } from "./surface.ts";

/** How loud every clip is, in LUFS. */
const LOUDNESS = -20;
/** A scene of whole seconds has a whole number of AAC's frames at this rate (and 4 s have 125). */
const SOUND_RATE = 32_000;
/** Samples of one frame of AAC: an encoder says one frame more than it was given. */
const SOUND_FRAME = 1_024;

interface Rendition {
  height: number;
  width: number;
  bandwidth: number;
  averageBandwidth: number;
  frameRate: number;
  codecs: string;
  init: string;
  segments: { file: string; ms: number }[];
}

/** Runs ffmpeg, feeding it what `feed` writes, and hands back what it said. */
async function runFfmpeg(args: string[], feed?: (write: (bytes: Uint8Array) => Promise<void>) => Promise<void>) {
  const child = spawn("ffmpeg", ["-hide_banner", "-nostats", "-y", ...args], { stdio: ["pipe", "ignore", "pipe"] });
  let said = "";
  child.stderr.on("data", (bytes: Buffer) => (said += bytes.toString()));
  const closed = once(child, "close");
  await feed?.(async (bytes) => {
    if (!child.stdin.write(bytes)) await Promise.race([once(child.stdin, "drain"), closed]);
  });
  child.stdin.end();
  const [exit] = await closed;
  if (exit !== 0) throw new Error(`ffmpeg ${args.join(" ")}: ${said}`);
  return said;
}

/** By how many dB a sound has to be raised to be as loud as the others. */
export async function measureGain(wav: string): Promise<number> {
  const said = await runFfmpeg(["-i", wav, "-af", "ebur128", "-f", "null", "-"]);
  return LOUDNESS - Number(/Integrated loudness:\s+I:\s+(-[\d.]+) LUFS/.exec(said)![1]);
}

function picturesIn(height: number): string[] {
  const size = `${(height * 16) / 9}x${height}`;
  return ["-f", "rawvideo", "-pix_fmt", "rgb24", "-s", size, "-r", String(FPS), "-i", "pipe:0"];
}

const colours = ["-colorspace", "bt709", "-color_primaries", "bt709", "-color_trc", "bt709", "-color_range", "tv"];

function encoding(most = 25): string[] {
  const rate = ["-crf", "29", "-maxrate", `${most}k`, "-bufsize", `${most * 2}k`];
  const frames = String(FPS * SEGMENT_S);
  const picture = ["-vf", "scale=out_color_matrix=bt709:out_range=tv,format=yuv420p", ...colours];
  const codec = ["-c:v", "libx264", "-preset", "placebo", "-tune", "animation", "-profile:v", "high", "-threads", "1"];
  const frugal = ["-x264-params", "ref=8:aq-mode=3:rc-lookahead=48", ...rate];
  return [...picture, ...codec, ...frugal, "-g", frames, "-keyint_min", frames, "-sc_threshold", "0"];
}

/** Draws the scene of a clip at one height into `folder`/`height` with its sound, and says what is there. */
export async function renderClip(clip: Clip, height: number, folder: string, wav: string, gain: number) {
  const into = `${folder}/${height}`;
  rmSync(into, { recursive: true, force: true });
  mkdirSync(into, { recursive: true });
  const scene = sceneOf(clip);
  const hls = ["-f", "hls", "-hls_time", String(SEGMENT_S), "-hls_playlist_type", "vod", "-hls_segment_type", "fmp4"];
  const files = ["-hls_fmp4_init_filename", "init.mp4", "-hls_segment_filename", `${into}/seg-%03d.m4s`];
  const args = ["-i", wav, "-map", "0:v", "-map", "1:a", ...encoding(clip.kbps), ...sounding(scene.seconds, gain)];
  const poster = new Uint8Array(createSurface(height / HEIGHT).px.length);
  await runFfmpeg([...picturesIn(height), ...args, ...hls, ...files, `${into}/list.m3u8`], async (write) => {
    const s = createSurface(height / HEIGHT);
    let frame = scene.from * FPS;
    for (const bytes of framesOf(s, clip.begin(s), scene)) {
      if (frame++ === clip.poster * FPS) poster.set(bytes);
      await write(bytes);
    }
  });
  return { poster, rendition: describeRendition(into, height) };
}

/** With the frame that the encoder adds, the sound is as long as the scene: the next round begins where it ends. */
function sounding(seconds: number, gain: number): string[] {
  const even = `aresample=${SOUND_RATE},atrim=end_sample=${seconds * SOUND_RATE - SOUND_FRAME}`;
  const filter = `volume=${gain.toFixed(2)}dB,alimiter=limit=0.8:level=false,${even}`;
  return ["-af", filter, "-ac", "1", "-c:a", "aac", "-b:a", "16k"];
}

/** Reads what ffmpeg wrote and takes its playlist away: the server writes its own. */
function describeRendition(into: string, height: number): Rendition {
  const list = readFileSync(`${into}/list.m3u8`, "utf8");
  rmSync(`${into}/list.m3u8`);
  const segments = [...list.matchAll(/#EXTINF:([\d.]+),\n(\S+)/g)].map(([, seconds, name]) => ({
    file: `${height}/${name}`,
    ms: Math.round(Number(seconds) * 1000),
  }));
  const bits = segments.map(({ file }) => statSync(`${into}/../${file}`).size * 8000);
  const rates = segments.map(({ ms }, i) => bits[i]! / ms);
  if (readdirSync(into).length !== segments.length + 1) throw new Error(`${into}: more files than segments`);
  const width = (height * 16) / 9;
  const bandwidth = Math.ceil(Math.max(...rates));
  const lengthMs = segments.reduce((sum, { ms }) => sum + ms, 0);
  const averageBandwidth = Math.ceil(bits.reduce((sum, one) => sum + one, 0) / lengthMs);
  const codecs = readCodecs(`${into}/init.mp4`);
  return { height, width, bandwidth, averageBandwidth, frameRate: FPS, codecs, init: `${height}/init.mp4`, segments };
}

/** H.264's profile and level as the init segment says them, and AAC (RFC 6381). */
function readCodecs(path: string): string {
  const init = readFileSync(path);
  const profile = init.indexOf("avcC") + 5;
  return `avc1.${init.toString("hex", profile, profile + 3)},mp4a.40.2`;
}
