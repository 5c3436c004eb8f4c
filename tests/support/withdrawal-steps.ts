import { getUserWithdrawRole, setBank, withdrawList } from "#shared/contract/withdrawals.ts";
import { setPayPassword } from "#shared/contract/member.ts";
import type { Client } from "./client.ts";
import type { StoryServer } from "./server-process.ts";

export const PIN = "246810";
export const NUMBER = "1903 6624 8750";

/** The operator's commands on a running server. Each must succeed. Returns its output. */
export const operatorOf =
  (server: StoryServer) =>
  async (...words: string[]): Promise<string> => {
    const { code, out } = await server.command(...words);
    if (code !== 0) throw new Error(`${words.join(" ")}: ${code} ${out}`);
    return out;
  };

/** Binds an account in the member's name, over the API; its screens have tests of their own. */
export const bindAccount = (member: Client, username = "Saver One") =>
  member.must(setBank, { bank_code: "vn_acb", bank: "ACB", bankid: NUMBER.replaceAll(" ", ""), username, mobile: "" });

/** Everything a withdrawal needs: points, a passcode, and an account with the real name. */
export async function prepare(member: Client, units: number): Promise<void> {
  await Promise.all([member.topUp(units), member.must(setPayPassword, { paypassword: PIN })]);
  await bindAccount(member);
}

export const rulesFor = (member: Client) => member.must(getUserWithdrawRole);

/** The number of the member's newest withdrawal. */
export const newestOf = async (member: Client): Promise<string> => (await member.must(withdrawList))[0]!.id;
