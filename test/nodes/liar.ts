import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { callNode } from './ethereum/control.ts'
import { bodyOf } from './http.ts'
import { type Kind, LIES, type LiarControl, liarControl } from './lies/control.ts'
import type { Answer, Lie, Question } from './lies/lie.ts'
import { answerRemote } from './remote.ts'

export interface Liar<K extends Kind> extends LiarControl<K> {
  /** Its URL, to be used in place of the node's. */
  readonly url: string
  close(): Promise<void>
}

/**
 * Starts a server in front of a node, which passes every call on and lies on demand.
 *
 * @param node the node's URL
 * @param port 0 takes a free one
 */
export async function startLiar<K extends Kind>(kind: K, node: string, port = 0): Promise<Liar<K>> {
  let lie: Lie = {}
  let asked: string[] = []
  // Each of them takes what `honest` is for its kind.
  const lies = LIES[kind] as unknown as Readonly<
    Record<string, (node: unknown, details: unknown) => Lie | Promise<Lie>>
  >
  const honest =
    kind === 'bitcoin'
      ? async (path: string) => (await ask(node, 'GET', { path, body: '' })).body
      : (method: string, ...parameters: readonly unknown[]) => callNode(node, method, parameters)
  const control: LiarControl<K> = {
    async tell({ name, ...details }) {
      const make = lies[String(name)]
      if (make === undefined) throw new Error(`No such lie: ${String(name)}`)
      lie = await make(honest, details)
    },
    behave: async () => {
      lie = {}
    },
    asked: async () => asked,
    forget: async () => {
      asked = []
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const path = request.url ?? '/'
    const body = await bodyOf(request)
    const controlled = request.method === 'POST' ? await answerRemote(control, path, body) : undefined
    if (controlled !== undefined) {
      response.end(controlled)
      return
    }
    asked.push(...namesOf(kind, path, body))
    if (lie.instead) {
      lie.instead(response)
      return
    }
    const { question = (text: string) => text, answer: change = (_: Question, truth: Answer) => truth } = lie
    const put = { path: question(path), body: question(body) }
    const { status, body: told } = change(put, await ask(node, request.method ?? 'GET', put))
    const type = /^[[{]/.test(told) ? 'application/json' : 'text/plain'
    response.writeHead(status, { 'Content-Type': type }).end(Buffer.from(told, 'latin1'))
  }

  const server = createServer((request, response) => {
    answer(request, response).catch((error) => response.writeHead(502).end(String(error)))
  })
  await new Promise<void>((ready, failed) => {
    server.once('error', failed).listen(port, '127.0.0.1', ready)
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return {
    url,
    ...liarControl<K>(url),
    async close() {
      server.closeAllConnections()
      await new Promise((closed) => server.close(closed))
    },
  }
}

/** One character of the body is one byte, so that `/tx/:txid/raw` passes unchanged. */
async function ask(node: string, method: string, { path, body }: Question): Promise<Answer> {
  const response = await fetch(node + path, {
    method,
    ...(method === 'POST' && { body, headers: { 'Content-Type': 'application/json' } }),
  })
  return { status: response.status, body: Buffer.from(await response.arrayBuffer()).toString('latin1') }
}

function namesOf(kind: Kind, path: string, body: string): string[] {
  if (kind === 'bitcoin') return [path]
  return ([JSON.parse(body)].flat() as { method: string }[]).map(({ method }) => method)
}
