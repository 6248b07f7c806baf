import { callCounted } from './app.ts'
import type { QueryCost } from './counting.ts'

export interface Cost {
  readonly status: number
  readonly body: { readonly _id: string; readonly msg: string }
  readonly link: string
  readonly counted: QueryCost
}

export interface CostOptions {
  readonly token: string
  readonly json?: unknown
  readonly form?: Readonly<Record<string, string | Blob>>
  readonly key?: boolean
}

/** Answers a request with a counting database. Work after the answer does not count. */
export async function cost(method: string, path: string, { key, ...options }: CostOptions): Promise<Cost> {
  const { status, body, headers, counted } = await callCounted<Cost['body']>(method, path, {
    ...options,
    ip: '203.0.113.7',
    ...(key && { idempotencyKey: crypto.randomUUID() }),
  })
  return { status, body: body ?? {}, link: headers.get('Link') ?? '', counted }
}
