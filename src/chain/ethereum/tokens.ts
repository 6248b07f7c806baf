/** An ERC-20 token. Its contract identifies it; anybody can give a contract the same name and symbol. */
export interface Token {
  readonly chainId: number
  /** With the EIP-55 checksum. */
  readonly contract: string
  readonly symbol: string
  readonly decimals: number
}

/** The tokens that count as payments. Both contracts are those that their issuers name: Tether and Circle. */
export const TOKENS: readonly Token[] = [
  { chainId: 1, contract: '0xdAC17F958D2ee523a2206206994597C13D831ec7', symbol: 'USDT', decimals: 6 },
  { chainId: 1, contract: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', symbol: 'USDC', decimals: 6 },
]
