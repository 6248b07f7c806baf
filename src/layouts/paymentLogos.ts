import { siBitcoin, siEthereum, siMastercard, siTether } from 'simple-icons'

/** What the footer names, in its order. Card payments are shown as what is not offered until somebody offers them. */
export const paymentLogos = [
  { id: 'bitcoin', name: 'Bitcoin', kind: 'coin', path: siBitcoin.path },
  { id: 'ethereum', name: 'Ethereum', kind: 'coin', path: siEthereum.path },
  { id: 'usdt', name: 'USDT (Tether)', kind: 'coin', path: siTether.path },
  { id: 'mastercard', name: 'Mastercard', kind: 'card', path: siMastercard.path },
] as const
