/** The world outside the command, so that tests can replace it. */
export interface Context {
  /** The folder of Kraken's price files. */
  readonly directory: string
  /** The folder of the price files that continue them, which Binance has. */
  readonly continuation: string
  /** The address of Kraken's API, without a slash at its end. */
  readonly baseUrl: string
  readonly now: () => number
  readonly fetch: typeof fetch
  readonly sleep: (ms: number) => Promise<void>
  /** Writes lines for the operator. */
  readonly print: (text: string) => void
  /** Shows the current step and, with a share from 0 to 1, how far it is. */
  readonly progress: (what: string, share?: number) => void
}
