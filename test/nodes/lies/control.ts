import { remote } from '../remote.ts'
import { bitcoinLies } from './bitcoin.ts'
import { ethereumLies } from './ethereum.ts'
import { transportLies } from './transport.ts'

/** The lies of a server of each kind, by name. Each says what it does. */
export const LIES = {
  bitcoin: { ...transportLies, ...bitcoinLies },
  ethereum: { ...transportLies, ...ethereumLies },
}

export type Kind = keyof typeof LIES
/** What a lie needs to know, if anything: its second parameter. */
type Details<L> = L extends (node: never, details: infer D) => unknown ? D : never
/** The name of a lie, with what it needs to know. */
export type LieOf<K extends Kind> = {
  [N in keyof (typeof LIES)[K]]: { readonly name: N } & Details<(typeof LIES)[K][N]>
}[keyof (typeof LIES)[K]]

export interface LiarControl<K extends Kind> {
  /** From now on each call is answered with this lie, instead of an earlier one. */
  tell(lie: LieOf<K>): Promise<void>
  /** From now on each call is answered with the truth. */
  behave(): Promise<void>
  /** The calls since the last `forget`: paths of Esplora, or methods of JSON-RPC. */
  asked(): Promise<string[]>
  forget(): Promise<void>
}

/** The control of a running server by its URL. Needs nothing but `fetch`, so it works in workerd too. */
export const liarControl = <K extends Kind>(url: string): LiarControl<K> =>
  remote<LiarControl<K>>(url, ['tell', 'behave', 'asked', 'forget'])
