import { OperatorText } from "#client/components/OperatorText.tsx";
import { usePages } from "#client/api/pages.ts";
import { ButtonLink } from "#client/components/Button.tsx";
import { Card } from "#client/components/Card.tsx";
import { EndlessList } from "#client/components/EndlessList.tsx";
import { EmptyNote } from "#client/components/Notes.tsx";
import { Screen } from "#client/components/Screen.tsx";
import { SkeletonRows } from "#client/components/Skeleton.tsx";
import { useText } from "#client/text/use-text.ts";
import { useTime } from "#client/text/use-time.ts";
import { noticeList, type Notice } from "#shared/contract/site.ts";

/** The operator's notices, newest first; new ones arrive by push. */
export default function Notices() {
  const text = useText();
  const pages = usePages(noticeList, (rows) => rows);
  return (
    <Screen title={text("notices.title")}>
      <EndlessList
        pages={pages}
        label={text("notices.list")}
        keyOf={({ id }) => id}
        row={(notice) => <NoticeCard notice={notice} />}
        skeleton={<SkeletonRows className="h-28" />}
        empty={
          <EmptyNote drawing="notices" title={text("notices.empty")}>
            <p className="text-muted">{text("notices.emptyHint")}</p>
            <ButtonLink look="quiet" to="/Home">
              {text("action.toHome")}
            </ButtonLink>
          </EmptyNote>
        }
      />
    </Screen>
  );
}

function NoticeCard({ notice: { name, text, langs, create_time } }: { notice: Notice }) {
  const time = useTime();
  return (
    <Card>
      <h2 className="text-base font-semibold break-words">
        <OperatorText text={name} lang={langs?.name} />
      </h2>
      <p className="mb-2 text-xs text-muted">{time(create_time)}</p>
      <p className="break-words whitespace-pre-line">
        <OperatorText text={text} lang={langs?.text} />
      </p>
    </Card>
  );
}
