import { TOKEN_CONTRACTS } from '../../contract/money/coins.ts'

/** An ERC-20 token. Its contract identifies it; anyone can give a contract the same name and symbol. */
export interface Token {
  readonly chainId: number
  /** With the EIP-55 checksum. */
  readonly contract: string
  readonly symbol: string
  readonly decimals: number
}

/** The tokens that count as payments. Both contracts are those that their issuers name: Tether and Circle. */
export const TOKENS: readonly Token[] = [
  { chainId: 1, contract: TOKEN_CONTRACTS['usdt-erc20'], symbol: 'USDT', decimals: 6 },
  { chainId: 1, contract: TOKEN_CONTRACTS['usdc-erc20'], symbol: 'USDC', decimals: 6 },
]
