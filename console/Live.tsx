import { useQuery } from "@tanstack/react-query";
import {
  CategoryScale,
  Chart,
  Legend,
  LinearScale,
  LineController,
  LineElement,
  PointElement,
  Tooltip,
} from "chart.js";
import { useEffect, useRef, useState } from "react";
import { look } from "./api.ts";
import { Json, Table } from "./Shown.tsx";
import { useWork } from "./use-work.ts";

Chart.register(CategoryScale, Legend, LinearScale, LineController, LineElement, PointElement, Tooltip);

const AGAIN_MS = 10_000;

interface Round {
  round: string;
  draw_time: number;
  state: string;
  bets: number;
  staked: string;
  paid: string;
}

interface Now {
  games: { key: string; rounds: Round[] }[];
  [fact: string]: unknown;
}

export default function Live() {
  const { data, error } = useQuery({
    queryKey: ["live"],
    queryFn: async () => (await look<Now>("live")).json,
    refetchInterval: AGAIN_MS,
  });
  if (!data) return error ? <p role="alert">{error.message}</p> : <p>Loading…</p>;
  const { games, ledger_sum: _sum, ...facts } = data;
  return (
    <>
      {error && <p role="alert">{error.message} What you see is older.</p>}
      <Json value={facts} />
      <LedgerSum />
      {games.map(({ key, rounds }) => (
        <section key={key} aria-label={key}>
          <h2>{key}</h2>
          <Rounds rounds={rounds} />
          <details>
            <summary>As a table</summary>
            <Table rows={rounds.map((round) => ({ ...round }))} />
          </details>
        </section>
      ))}
    </>
  );
}

function LedgerSum() {
  const [sum, setSum] = useState<string | null>(null);
  const { isBusy, failure, work } = useWork();
  const addUp = async () => {
    setSum(null);
    setSum(String((await look<Now>("live", {}, { ledger: "sum" })).json.ledger_sum));
  };
  return (
    <>
      <p>
        <button type="button" aria-disabled={isBusy} onClick={() => void work(addUp)}>
          Add up the ledger
        </button>{" "}
        <span role="status">{sum !== null && `All accounts together: ${sum}`}</span>
      </p>
      {failure !== "" && <p role="alert">{failure}</p>}
    </>
  );
}

/** Stakes and payouts of the rounds that are drawn. */
function Rounds({ rounds }: { rounds: Round[] }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const chart = useRef<Chart<"line"> | null>(null);
  useEffect(() => {
    const style = getComputedStyle(canvas.current!);
    const colorOf = (name: string) => style.getPropertyValue(name).trim();
    Chart.defaults.color = style.color;
    const line = (label: string, color: string) => ({ label, data: [], borderColor: color, backgroundColor: color });
    chart.current = new Chart(canvas.current!, {
      type: "line",
      data: { labels: [], datasets: [line("Stakes", colorOf("--stakes")), line("Payouts", colorOf("--payouts"))] },
      options: { animation: false, maintainAspectRatio: false, scales: { y: { beginAtZero: true } } },
    });
    return () => chart.current?.destroy();
  }, []);
  useEffect(() => {
    const drawn = rounds.filter(({ state }) => state !== "open" && state !== "skipped");
    const { data } = chart.current!;
    data.labels = drawn.map(({ draw_time }) => new Date(draw_time * 1_000).toLocaleTimeString("en-GB"));
    data.datasets[0]!.data = drawn.map(({ staked }) => Number(staked));
    data.datasets[1]!.data = drawn.map(({ paid }) => Number(paid));
    chart.current!.update();
  }, [rounds]);
  return (
    <div className="chart">
      <canvas ref={canvas} role="img" aria-label="Stakes and payouts by round; the table below has the numbers" />
    </div>
  );
}
