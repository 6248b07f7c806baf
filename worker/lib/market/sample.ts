import type { MarketCoin, TrendingCoin } from '../../../src/contract/investing/market.ts'

/** Of a made-up week of prices. */
const POINTS = 32

// By rank: id, symbol, name, price in USD, change in 24 hours in percent, all-time high in USD and its day.
const TABLE = `bitcoin|BTC|Bitcoin|64200|1.24|108000|2025-01-20
ethereum|ETH|Ethereum|3150|-0.62|4880|2021-11-10
tether|USDT|Tether|1|0.01|1.32|2018-07-24
binancecoin|BNB|BNB|584.5|0.85|790|2024-12-04
solana|SOL|Solana|148.2|3.1|293|2025-01-19
usd-coin|USDC|USDC|1|0|1.17|2019-05-08
ripple|XRP|XRP|0.6125|-0.11|3.4|2018-01-07
dogecoin|DOGE|Dogecoin|0.1284|2.35|0.7316|2021-05-08
the-open-network|TON|Toncoin|5.42|-1.9|8.25|2024-06-15
cardano|ADA|Cardano|0.4471|0.8|3.09|2021-09-02
tron|TRX|TRON|0.1317|0.44|0.4313|2024-12-03
avalanche-2|AVAX|Avalanche|27.35|4.2|144.96|2021-11-21
shiba-inu|SHIB|Shiba Inu|0.0000184|1.72|0.0000862|2021-10-28
chainlink|LINK|Chainlink|13.9|2.08|52.7|2021-05-10
polkadot|DOT|Polkadot|5.86|-0.94|54.98|2021-11-04
bitcoin-cash|BCH|Bitcoin Cash|371.4|0.37|3785.82|2017-12-20
near|NEAR|NEAR Protocol|5.12|5.02|20.44|2022-01-16
litecoin|LTC|Litecoin|68.3|-0.28|410.26|2021-05-10
dai|DAI|Dai|1|0.02|1.22|2020-03-13
uniswap|UNI|Uniswap|7.45|1.15|44.92|2021-05-03
internet-computer|ICP|Internet Computer|9.18|-2.4|700.65|2021-05-10
aptos|APT|Aptos|8.74|3.66|19.92|2023-01-26
ethereum-classic|ETC|Ethereum Classic|21.6|0.5|167.09|2021-05-06
monero|XMR|Monero|158.9|-0.36|542.33|2018-01-09
stellar|XLM|Stellar|0.0968|-0.7|0.8756|2018-01-03
sui|SUI|Sui|1.92|9.41|5.35|2025-01-04
render-token|RENDER|Render|5.37|6.28|13.53|2024-03-17
hedera-hashgraph|HBAR|Hedera|0.0562|0.92|0.5692|2021-09-15
filecoin|FIL|Filecoin|4.03|-1.33|236.84|2021-04-01
arbitrum|ARB|Arbitrum|0.601|1.87|2.39|2024-01-12
cosmos|ATOM|Cosmos Hub|4.62|-0.55|44.45|2022-01-17
optimism|OP|Optimism|1.74|2.61|4.84|2024-03-06
maker|MKR|Maker|1488|-1.77|6292.31|2021-05-03
vechain|VET|VeChain|0.0231|0.31|0.281|2021-04-19
injective-protocol|INJ|Injective|20.8|4.73|52.62|2024-03-14
immutable-x|IMX|Immutable|1.49|-3.05|9.52|2021-11-26
the-graph|GRT|The Graph|0.1732|1.04|2.84|2021-02-12
fantom|FTM|Fantom|0.6894|5.57|3.46|2021-10-28
aave|AAVE|Aave|146.3|3.48|661.69|2021-05-18
theta-token|THETA|Theta Network|1.31|-0.83|15.72|2021-04-16
algorand|ALGO|Algorand|0.1296|0.66|3.56|2019-06-20
quant-network|QNT|Quant|68.9|-1.12|427.42|2021-09-11
flow|FLOW|Flow|0.5541|-0.19|42.4|2021-04-05
multiversx|EGLD|MultiversX|26.4|1.39|545.64|2021-11-23
axie-infinity|AXS|Axie Infinity|4.87|-2.16|164.9|2021-11-06
the-sandbox|SAND|The Sandbox|0.2698|0.75|8.4|2021-11-25
tezos|XTZ|Tezos|0.6912|-0.47|9.12|2021-10-04
eos|EOS|EOS|0.4826|0.18|22.71|2018-04-29
decentraland|MANA|Decentraland|0.2977|-1.48|5.85|2021-11-25
iota|MIOTA|IOTA|0.1283|2.9|5.25|2017-12-19`

/**
 * A market for development, without a provider. The coins exist. The prices, changes and highs are invented, close enough to real
 * ones to lay out a page. Answers carry `X-Market-Source: sample`.
 */
export const SAMPLE_COINS: readonly MarketCoin[] = parseTable().map((row, index) => ({
  id: row.id,
  symbol: row.symbol.toLowerCase(),
  name: row.name,
  image: `/coins/${row.id}.svg`,
  current_price: row.price,
  market_cap_rank: index + 1,
  price_change_percentage_24h: row.change,
  ath: row.ath,
  ath_date: `${row.athDay}T00:00:00.000Z`,
}))

/** The sample's seven greatest changes in 24 hours, greatest first. */
export const SAMPLE_TRENDING: readonly TrendingCoin[] = parseTable()
  .toSorted((a, b) => b.change - a.change)
  .slice(0, 7)
  .map((row) => ({
    id: row.id,
    name: row.name,
    symbol: row.symbol,
    large: `/coins/${row.id}.svg`,
    data: {
      price: row.price,
      price_change_percentage_24h: { usd: row.change },
      sparkline: `/coins/sparkline-${row.id}.svg`,
      series: generateWalk(row),
    },
  }))

/** Invented prices that end at the coin's price and match its change. Always the same. */
function generateWalk({ id, price, change }: Row): number[] {
  const random = createRandom(deriveSeed(id))
  let end = 0
  const walk = [end]
  while (walk.length < POINTS) {
    end += random() - 0.5
    walk.push(end)
  }
  const bend = change / 4 - end
  return walk.map((value, i) => {
    const offCourse = value + (bend * i) / (POINTS - 1) - change / 4
    return Number((price * (1 + offCourse / 25)).toPrecision(6))
  })
}

/** FNV-1a, 32 bits. */
export function deriveSeed(text: string): number {
  let hash = 0x811c9dc5
  for (const character of text) hash = Math.imul(hash ^ (character.codePointAt(0) ?? 0), 0x01000193) >>> 0
  return hash
}

/** Numbers from 0 to 1 of a linear congruential generator (Numerical Recipes). */
function createRandom(seed: number): () => number {
  let state = seed
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return state / 2 ** 32
  }
}

type Row = {
  id: string
  symbol: string
  name: string
  price: number
  change: number
  ath: number
  athDay: string
}

function parseTable(): Row[] {
  return TABLE.split('\n').map((line) => {
    const [id = '', symbol = '', name = '', price, change, ath, athDay = ''] = line.split('|')
    return { id, symbol, name, price: Number(price), change: Number(change), ath: Number(ath), athDay }
  })
}
