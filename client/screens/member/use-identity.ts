import { queryClient } from "#client/api/queries.ts";
import { showToast } from "#client/api/bus.ts";
import type { InputFor } from "#client/api/call.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { useText } from "#client/text/use-text.ts";
import { useSetting } from "#client/hooks/use-setting.ts";
import { useWrite } from "#client/hooks/use-write.ts";

interface Plan<E extends AnyEndpoint> {
  endpoint: E;
  /** The toast shown on success. */
  success: TextKey;
  /** The fields of the member that the write changes. */
  changes: (input: Partial<InputFor<E>>) => Partial<UserInfo>;
  onDone: () => void;
}

/** Changes something about the member, once, and updates every screen at once. */
export function useIdentity<E extends AnyEndpoint>(plan: Plan<E>) {
  return useWrite(plan.endpoint, useOnDone(plan));
}

/** The same for a value that can be set again and again. */
export function useMemberSetting<E extends AnyEndpoint>(plan: Plan<E>) {
  return useSetting(plan.endpoint, useOnDone(plan), () => queryClient.invalidateQueries(USER));
}

const USER = { queryKey: [getUserInfo.path] };

function useOnDone<E extends AnyEndpoint>({ success, changes, onDone }: Plan<E>) {
  const text = useText();
  return (_answer: unknown, input: Partial<InputFor<E>>) => {
    queryClient.setQueriesData<UserInfo>(USER, (user) => user && { ...user, ...changes(input) });
    void queryClient.invalidateQueries(USER);
    showToast(text(success), "good");
    onDone();
  };
}
