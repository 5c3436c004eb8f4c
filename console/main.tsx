import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { createRoot } from "react-dom/client";
import { App } from "./App.tsx";
import "./console.css";

const client = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 5_000 } } });
createRoot(document.querySelector("#root")!).render(
  <QueryClientProvider client={client}>
    <App />
  </QueryClientProvider>,
);
