import styles from './Market.module.css'

/** A coin's picture, name and symbol. */
export function CoinName({ name, symbol, picture }: { name: string; symbol: string; picture: string }) {
  return (
    <span className={styles.coin}>
      <img src={picture} alt="" width="24" height="24" loading="lazy" decoding="async" />
      <span>
        {name} <span className={styles.symbol}>{symbol.toUpperCase()}</span>
      </span>
    </span>
  )
}
