// Ends with 0 when the server in this container can serve, else with 1. For HEALTHCHECK, so that the image needs no curl.
const port = process.env.PORT || 3000;
const answer = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_500) }).catch(() => null);
process.exit(answer?.status === 200 ? 0 : 1);
