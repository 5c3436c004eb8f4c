import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import "./console.css";

// The console is on this machine, so its queries never wait for a network.
const queries = { retry: false, staleTime: 5_000, networkMode: "always" } as const;
const client = new QueryClient({ defaultOptions: { queries } });
createRoot(document.querySelector("#root")!).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
);
