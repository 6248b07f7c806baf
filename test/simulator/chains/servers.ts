import type { Chance } from '../lane/chance.ts'
import type { BitcoinChain, BitcoinView } from './bitcoin.ts'
import { answerEsplora, type ServerAnswer } from './esplora.ts'
import type { EthereumChain, EthereumView } from './ethereum.ts'
import { answerJsonRpc, type RpcAnswer, type RpcQuestion } from './jsonRpc.ts'
import { BITCOIN_LIES, ETHEREUM_LIES, type OwnAddress, saltOf } from './lies.ts'

/** What a server does for a while instead of answering honestly. */
export const MOODS = {
  silent: 'A server did not answer',
  slow: 'A server did not answer in time',
  failing: 'A server answered with an error',
  limited: 'A server asked to wait',
  garbage: 'A server answered with something else',
  brokenJson: 'A server answered with half of its JSON',
  huge: 'A server answered with too much',
  cut: 'A server broke off its answer',
  answerLost: 'The answer of a server was lost',
  stalled: 'A server stood still',
  back: 'A server went back',
  lying: 'A server lied',
} as const
export type Mood = keyof typeof MOODS

export const SERVERS = {
  bitcoin: ['https://bitcoin-one.test', 'https://bitcoin-two.test'],
  ethereum: ['https://ethereum-one.test', 'https://ethereum-two.test'],
} as const
export type ChainName = keyof typeof SERVERS

/** One of the two servers of a chain. */
interface Server<View> {
  mood: Mood | null
  /** The tick in which it answers honestly again. */
  until: number
  /** What it keeps showing while it stands still or went back. */
  kept: View | null
  lie: string
  salt: string
}

/** The servers of both chains, behind the network of the simulated Worker. */
export interface Servers {
  /** How often each mood and each lie began. */
  readonly counts: ReadonlyMap<string, number>
  /** Answers a request to a server. Null for another address. */
  answer(address: string, init: RequestInit): Response | null
  /** Calls since the last `forgetCalls`. */
  readonly calls: number
  forgetCalls(): void
  /** Begins a random mood of one server of a chain. Only one of both lies at a time. */
  begin(chain: ChainName, tick: number): void
  /** Begins this mood of a server. It lasts until `end` is called with this tick or a later one. */
  misbehave(chain: ChainName, server: 0 | 1, course: Course): void
  /** Lets a server show what it shows now, for some ticks, as after a reorganisation. */
  lag(chain: ChainName, ticks: number, tick: number): void
  /** Ends moods whose time is over; all of them with `isAll`. */
  end(tick: number, isAll?: boolean): void
}

type LieName = keyof typeof BITCOIN_LIES | keyof typeof ETHEREUM_LIES

/** A mood, with the lie to tell, or the blocks by which a server goes back. */
export interface Course {
  readonly mood: Mood
  readonly lie?: LieName | undefined
  readonly blocks?: number
  readonly until?: number
}

export interface ServedChains {
  readonly bitcoin: BitcoinChain
  readonly ethereum: EthereumChain
  readonly chance: Chance
  /** The addresses that investors were given so far. */
  own(chain: ChainName): readonly OwnAddress[]
  /** Lets time pass. */
  pass(ms: number): void
  /** Called with each transaction that a server took. */
  sent(chain: ChainName, raw: string): void
}

export function openServers({ bitcoin, ethereum, chance, own, pass, sent }: ServedChains): Servers {
  const counts = new Map<string, number>()
  const count = (name: string) => counts.set(name, (counts.get(name) ?? 0) + 1)
  const newServer = <View>(): Server<View> => ({ mood: null, until: 0, kept: null, lie: '', salt: '' })
  const servers = {
    bitcoin: [newServer<BitcoinView>(), newServer<BitcoinView>()] as const,
    ethereum: [newServer<EthereumView>(), newServer<EthereumView>()] as const,
  }
  let calls = 0

  const answerBitcoin = (server: Server<BitcoinView>, path: string, init: RequestInit): Response => {
    if (init.method === 'POST') {
      const raw = String(init.body)
      const refused = bitcoin.broadcast(raw)
      if (refused !== null) return new Response(refused, { status: 400 })
      sent('bitcoin', raw)
      return new Response('')
    }
    const view = server.kept ?? bitcoin.view
    const truth = answerEsplora(view, path)
    if (server.mood !== 'lying') return responseOf(truth)
    const lie = BITCOIN_LIES[server.lie as keyof typeof BITCOIN_LIES]
    return responseOf(lie({ question: path, truth, view, own: own('bitcoin'), salt: server.salt }))
  }

  const answerEthereum = (server: Server<EthereumView>, init: RequestInit): Response => {
    const view = server.kept ?? ethereum.view
    const questions = JSON.parse(String(init.body)) as RpcQuestion[]
    return Response.json(
      questions.map((question) => {
        const truth = answerJsonRpc(ethereum, view, question)
        if (question.method === 'eth_sendRawTransaction' && 'result' in truth)
          sent('ethereum', String(question.params[0]))
        const lie = server.mood === 'lying' ? ETHEREUM_LIES[server.lie as keyof typeof ETHEREUM_LIES] : null
        const told: RpcAnswer =
          lie === null ? truth : lie({ question, truth, view, own: own('ethereum'), salt: server.salt })
        return { jsonrpc: '2.0', id: question.id, ...told }
      }),
    )
  }

  return {
    counts,
    get calls() {
      return calls
    },
    forgetCalls: () => {
      calls = 0
    },
    answer: (address, init) => {
      const { origin, pathname } = new URL(address)
      const chain = (['bitcoin', 'ethereum'] as const).find((name) =>
        SERVERS[name].some((each) => each === origin),
      )
      if (chain === undefined) return null
      calls += 1
      const server = servers[chain][origin === SERVERS[chain][0] ? 0 : 1]
      const answer = () =>
        chain === 'bitcoin'
          ? answerBitcoin(server as Server<BitcoinView>, pathname, init)
          : answerEthereum(server as Server<EthereumView>, init)
      switch (server.mood) {
        case 'silent':
          throw new TypeError('fetch failed')
        case 'slow':
          pass(8_000)
          throw new TypeError('The operation was aborted.')
        case 'failing':
        case 'limited':
        case 'garbage':
        case 'brokenJson':
        case 'huge':
        case 'cut':
          return FAULTY_ANSWERS[server.mood]()
        case 'answerLost':
          if (!chance.is(0.5)) return answer()
          answer()
          throw new TypeError('fetch failed')
        default:
          return answer()
      }
    },
    begin: (chain, tick) => {
      const server = servers[chain][chance.whole(0, 1) as 0 | 1]
      const mood = chance.pick([
        'silent',
        'slow',
        'failing',
        'garbage',
        'answerLost',
        'stalled',
        'back',
        'lying',
        'lying',
        'lying',
        'lying',
      ])
      const isOtherLying = servers[chain].some((other) => other !== server && other.mood === 'lying')
      if (server.mood !== null || (mood === 'lying' && isOtherLying)) return
      const until = tick + chance.whole(1, 6)
      if (mood === 'lying') {
        const names = Object.keys(chain === 'bitcoin' ? BITCOIN_LIES : ETHEREUM_LIES) as LieName[]
        change(chain, server, { mood, until, lie: names[chance.whole(0, names.length - 1)] })
      } else change(chain, server, { mood, until, blocks: mood === 'back' ? chance.whole(1, 5) : 0 })
    },
    misbehave: (chain, at, course) => change(chain, servers[chain][at], course),
    lag: (chain, ticks, tick) => {
      const server = servers[chain][chance.whole(0, 1) as 0 | 1]
      if (server.mood !== null) return
      Object.assign(server, { mood: 'stalled', until: tick + ticks, kept: viewOf(chain, 0) })
      count('A server saw a reorganisation later')
    },
    end: (tick, isAll = false) => {
      for (const server of [...servers.bitcoin, ...servers.ethereum])
        if (isAll || tick >= server.until) Object.assign(server, { mood: null, kept: null })
    },
  }

  function change(
    chain: ChainName,
    server: Server<BitcoinView> | Server<EthereumView>,
    { mood, lie, blocks = 0, until = Number.POSITIVE_INFINITY }: Course,
  ): void {
    const kept = mood === 'stalled' || mood === 'back' ? viewOf(chain, blocks) : null
    Object.assign(server, { mood, until, kept, lie, ...(mood === 'lying' && { salt: saltOf(chance) }) })
    count(lie === undefined ? MOODS[mood] : `${chain} lie: ${lie}`)
  }

  function viewOf(chain: ChainName, back: number): BitcoinView & EthereumView {
    const { main, mempool } = bitcoin.view
    const { blocks, pending } = ethereum.view
    // One of both halves is looked at.
    return {
      main: main.slice(0, main.length - (chain === 'bitcoin' ? back : 0)),
      mempool,
      blocks: blocks.slice(0, blocks.length - (chain === 'ethereum' ? back : 0)),
      pending,
    }
  }
}

const FAULTY_ANSWERS = {
  failing: () => new Response('Service Unavailable', { status: 503 }),
  limited: () => new Response('Too Many Requests', { status: 429, headers: { 'Retry-After': '30' } }),
  garbage: () => new Response('<!doctype html>'),
  brokenJson: () => new Response('{"jsonrpc":"2.0","id":1,"result":[{"value":1'),
  huge: () => new Response(`["${'0'.repeat(32 * 2 ** 20)}"]`),
  cut: () => {
    let isBegun = false
    return new Response(
      new ReadableStream({
        pull: (controller) => {
          if (isBegun) controller.error(new TypeError('terminated'))
          else controller.enqueue(new TextEncoder().encode('['))
          isBegun = true
        },
      }),
    )
  },
} satisfies Partial<Record<Mood, () => Response>>

function responseOf({ status, body }: ServerAnswer): Response {
  if (typeof body === 'string') return new Response(body, { status })
  if (body instanceof Uint8Array) return new Response(new Uint8Array(body), { status })
  return Response.json(body, { status })
}
