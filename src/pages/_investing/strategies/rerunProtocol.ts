import type { Backtest } from '../../../../engine/backtestResult.ts'
import type { Definition } from '../../../../engine/definition.ts'

/** What the page asks its Web Worker to compute. */
export interface RerunAsked {
  readonly definition: Definition
  readonly candles: readonly { readonly asset: string; readonly path: string; readonly sha256: string }[]
  /** Where the figures stand that were published; null where the parameters are others. */
  readonly published: string | null
}

/** A file of prices as it came. */
export interface CheckedFile {
  readonly path: string
  readonly sha256: string
  readonly isAsPublished: boolean
}

/** What the Worker tells on the way and in the end. */
export type RerunTold =
  | { readonly state: 'loading'; readonly done: number; readonly of: number }
  | { readonly state: 'computing'; readonly share: number }
  | {
      readonly state: 'done'
      readonly backtest: Backtest
      readonly files: readonly CheckedFile[]
      /** Where the figures differ from the published ones; null where they were not compared. */
      readonly differences: readonly string[] | null
      readonly ms: number
    }
  | { readonly state: 'failed'; readonly why: 'lost' | 'prices' | 'broken'; readonly says: string }
