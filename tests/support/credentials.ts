import { hash } from "@node-rs/argon2";
import { createHmac } from "node:crypto";
import { eq } from "drizzle-orm";
import { members } from "#db/schema/member.ts";
import { sessions } from "#db/schema/session.ts";
import type { World } from "./world.ts";

/** Cheap to make and to check: the hash itself carries its cost. */
const EASY = { memoryCost: 8, timeCost: 1, parallelism: 1 };

interface Credentials {
  password?: string;
  pin?: string;
}

/** Gives a member a password or a pay password, as if they had set it. */
export async function give({ deps }: World, memberId: number, { password, pin }: Credentials): Promise<void> {
  const peppered = async (secret: string) =>
    `p1${await hash(createHmac("sha256", deps.keys.now.derive("password pepper 1")).update(secret).digest("base64url"), EASY)}`;
  const set = {
    ...(password !== undefined && { passwordHash: await peppered(password) }),
    ...(pin !== undefined && { payPinHash: await peppered(pin) }),
  };
  await deps.db.transact((tx) => tx.update(members).set(set).where(eq(members.id, memberId)));
}

/** A member's sessions are as if they had proved right now who they are. */
export async function beProven({ deps }: World, memberId: number): Promise<void> {
  const set = { provenAt: deps.clock.now() };
  await deps.db.transact((tx) => tx.update(sessions).set(set).where(eq(sessions.memberId, memberId)));
}
