import { queryClient } from "#client/api/queries.ts";
import { showToast } from "#client/api/bus.ts";
import type { InputFor } from "#client/api/call.ts";
import type { TextKey } from "#client/text/i18n.ts";
import type { AnyEndpoint } from "#shared/contract/endpoint.ts";
import { getUserInfo, type UserInfo } from "#shared/contract/session.ts";
import { useText } from "#client/text/use-text.ts";
import { useWrite } from "#client/hooks/use-write.ts";

interface Plan<E extends AnyEndpoint> {
  endpoint: E;
  /** The toast shown on success. */
  success: TextKey;
  /** The fields of the member that the write changes. */
  changes: (input: Partial<InputFor<E>>) => Partial<UserInfo>;
  onDone: () => void;
}

/** Changes something about the member and updates every screen at once. */
export function useIdentity<E extends AnyEndpoint>({ endpoint, success, changes, onDone }: Plan<E>) {
  const text = useText();
  return useWrite(endpoint, (_answer, input) => {
    const isUser = { queryKey: [getUserInfo.path] };
    queryClient.setQueriesData<UserInfo>(isUser, (user) => user && { ...user, ...changes(input) });
    void queryClient.invalidateQueries(isUser);
    showToast(text(success), "good");
    onDone();
  });
}
