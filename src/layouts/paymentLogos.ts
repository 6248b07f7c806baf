import { siBitcoin, siEthereum, siMastercard, siTether } from 'simple-icons'

/** The footer's payment logos, in order. Cards are shown as not offered. */
export const paymentLogos = [
  { id: 'bitcoin', name: 'Bitcoin', kind: 'coin', path: siBitcoin.path },
  { id: 'ethereum', name: 'Ethereum', kind: 'coin', path: siEthereum.path },
  { id: 'usdt', name: 'USDT (Tether)', kind: 'coin', path: siTether.path },
  { id: 'mastercard', name: 'Mastercard', kind: 'card', path: siMastercard.path },
] as const
