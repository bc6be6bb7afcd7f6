/** The most bytes of an answer. What providers tell of themselves, and their keys, take some thousands. */
const LONGEST_ANSWER = 1024 * 1024;

/** Fetches, but reads no more of an answer than that: one without an end would take all memory there is. */
export async function boundedFetch(url: string, options: RequestInit): Promise<Response> {
  const response = await fetch(url, options);
  if (!response.body) return response;
  let length = 0;
  const bound = new TransformStream<Uint8Array, Uint8Array>({
    transform(chunk, controller) {
      length += chunk.length;
      if (length > LONGEST_ANSWER)
        controller.error(new Error(`an answer has more than ${LONGEST_ANSWER} bytes`));
      else controller.enqueue(chunk);
    },
  });
  const bounded = new Response(response.body.pipeThrough(bound), response);
  // A response that was made does not say by itself where it is from.
  return Object.defineProperty(bounded, "url", { value: response.url });
}
