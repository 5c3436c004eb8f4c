import { spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { dirname } from "node:path";
import { spawnBound } from "../../support/spawn-bound.ts";

export interface Inside {
  /** Its folders are at the root, read-only except those in `writable`. */
  root: string;
  writable: string[];
  /** `UID:GID`; any user but root has no privilege whatever, nor a way to one. */
  user: string;
  folder: string;
  env: Record<string, string>;
}

/**
 * Makes a root of its own: this machine's programs, Node, an empty /tmp, the given folders; then becomes the command.
 */
const ENTER = `
set -e
root=$1 given=$2 node=$3 writable=$4; shift 4
mount -t tmpfs -o mode=755 none $root
at() { mkdir -p $root$2; mount --bind $1 $root$2; [ "$3" = writable ] || mount -o remount,bind,ro $root$2; }
at /usr /usr; at /etc /etc; at $node /opt/node
for name in bin sbin lib lib64; do ln -s usr/$name $root/$name; done
for name in proc dev; do mkdir $root/$name; mount --rbind /$name $root/$name; done
mkdir $root/tmp; mount -t tmpfs -o mode=1777 none $root/tmp
for name in $(ls $given); do
  case " $writable " in *" /$name "*) at $given/$name /$name writable ;; *) at $given/$name /$name ;; esac
done
mount -o remount,ro $root
exec chroot $root "$@"
`;

/** Why this machine cannot run a command as a container does; empty when it can. */
export const whyNotHere =
  process.getuid?.() !== 0
    ? "only root may lay a root of its own"
    : spawnSync("unshare", ["--mount", "true"]).status !== 0
      ? "this machine gives no mount namespaces"
      : undefined;

/** Runs a command as a container would: a process with its own root, which signals reach directly. */
export function runInside(inside: Inside, command: string[]): ChildProcess {
  const { root, writable, user, folder, env } = inside;
  const mounts = `${root}.root`;
  mkdirSync(mounts, { recursive: true });
  const [uid = "0", gid = "0"] = user.split(":");
  const closed = ["--bounding-set=-all", "--inh-caps=-all", "--no-new-privs"];
  const become = uid === "0" ? [] : ["setpriv", `--reuid=${uid}`, `--regid=${gid}`, "--clear-groups", ...closed];
  const enter = ["-c", ENTER, "sh", mounts, root, dirname(process.execPath), writable.join(" ")];
  const there = ["env", "-C", folder, ...command];
  return spawnBound("unshare", ["--mount", "sh", ...enter, ...become, ...there], {
    env: { PATH: "/opt/node:/usr/sbin:/usr/bin", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

/** Waits for its end. Returns all its output. */
export async function finish(child: ChildProcess): Promise<{ code: number | null; output: string }> {
  const all = Promise.all([child.stdout!.toArray(), child.stderr!.toArray()]);
  const [code] = (await once(child, "close")) as [number | null];
  return { code, output: (await all).flat().join("") };
}
