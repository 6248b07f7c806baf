/** How to call the API, in paragraphs with code between backticks. */
export const HOW_TO_CALL = [
  'All addresses are below `/api/v1`. Send bodies as JSON, or as `multipart/form-data` where a call takes a file. Unknown fields are ignored.',
  '`POST /auth/login` answers with a token. Send it as `Authorization: Bearer …` with every call that is not public. A program of your own uses a key instead, which only reads: see `/docs/keys`.',
  'Amounts are US dollars: a number or a decimal string such as `"1500.50"` in requests, a number exact to the cent in answers. Fields whose names end in `Cents` are whole cents. Times are ISO 8601 in UTC.',
  'Lists are arrays, newest first unless a call says otherwise, paged by `limit` and `cursor`. The header `Link` names the next page.',
  'A refusal is `{ "msg": …, "code": …, "fields"?: { … } }`. `msg` is a sentence for people, `code` is a word for programs. After status 429 or 503, wait as long as `Retry-After` says.',
  'Calls that move money or file a request take an `Idempotency-Key`. For 24 hours, the same key with the same fields returns the first answer again. So you can repeat a call whose answer was lost.',
  'A browser with the cookie `XSRF-TOKEN` sends its value in the header `X-XSRF-TOKEN` with every call that changes something. Programs without cookies need neither.',
] as const
