import type { JsonRpc, Question } from '../servers/jsonRpc.ts'
import { ServerFault } from '../servers/server.ts'

/** What both servers say about the account that pays. The careful one of both answers counts. */
export interface AccountState {
  /** The number of its next transaction, after those that wait for a block. */
  readonly nonce: number
  /** Wei. */
  readonly balance: bigint
  /** Of the token, in its smallest unit; 0 without one. */
  readonly tokens: bigint
  /** Wei per unit of gas that miners ask for on top of the base fee. */
  readonly priorityFee: bigint
}

/** Asks one server about an account. One call. */
export async function fetchAccount(
  client: JsonRpc,
  {
    chainId,
    address,
    token,
  }: { readonly chainId: number; readonly address: string; readonly token: string | null },
): Promise<AccountState> {
  const [chain, nonce, balance, priorityFee, tokens = '0x0'] = await client.ask([
    { method: 'eth_chainId', params: [] },
    { method: 'eth_getTransactionCount', params: [address, 'pending'] },
    { method: 'eth_getBalance', params: [address, 'latest'] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    ...(token === null ? [] : [buildBalanceQuestion(token, address, 'latest')]),
  ])
  if (decodeQuantity(chain) !== BigInt(chainId)) throw new ServerFault('serves another chain')
  return {
    nonce: Number(decodeQuantity(nonce)),
    balance: decodeQuantity(balance),
    priorityFee: decodeQuantity(priorityFee),
    tokens: decodeQuantity(tokens),
  }
}

/** The gas that a transaction would use now. One call. */
export async function estimateGas(
  client: JsonRpc,
  {
    from,
    to,
    value,
    data,
  }: { readonly from: string; readonly to: string; readonly value: string; readonly data: string },
): Promise<bigint> {
  const [gas] = await client.ask([{ method: 'eth_estimateGas', params: [{ from, to, value, data }] }])
  return decodeQuantity(gas)
}

/** The base fee of the next block, and the priority fees that a tenth, half and nine tenths of the transactions paid lately, in wei. One call. */
export async function fetchFees(
  client: JsonRpc,
): Promise<{ readonly base: bigint; readonly priorities: readonly bigint[] }> {
  const [answer] = await client.ask([{ method: 'eth_feeHistory', params: ['0x14', 'latest', [10, 50, 90]] }])
  const { baseFeePerGas, reward } = answer as { baseFeePerGas?: unknown; reward?: unknown }
  if (!Array.isArray(baseFeePerGas) || !Array.isArray(reward))
    throw new ServerFault('answers in another form than JSON-RPC')
  const computeMedian = (column: number) => {
    const values = reward
      .map((row) => decodeQuantity(Array.isArray(row) ? row[column] : undefined))
      .toSorted((a, b) => (a < b ? -1 : 1))
    return values[Math.floor(values.length / 2)] ?? 0n
  }
  return {
    base: decodeQuantity(baseFeePerGas.at(-1)),
    priorities: [computeMedian(0), computeMedian(1), computeMedian(2)],
  }
}

/** The question for a token's balance: `balanceOf(address)` (ERC-20). */
export function buildBalanceQuestion(token: string, address: string, block: string): Question {
  const data = `0x70a08231${address.slice(2).toLowerCase().padStart(64, '0')}`
  return { method: 'eth_call', params: [{ to: token, data }, block] }
}

/** A number as JSON-RPC or a contract writes it. An account without the contract's code answers `0x`, which is not a number. */
export function decodeQuantity(value: unknown): bigint {
  if (typeof value !== 'string' || !/^0x[0-9a-fA-F]{1,64}$/.test(value))
    throw new ServerFault('answers in another form than JSON-RPC')
  return BigInt(value)
}
