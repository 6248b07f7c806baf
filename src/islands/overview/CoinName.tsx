import styles from './Market.module.css'

const UNKNOWN = '/coins/unknown.svg'

/** A coin's picture, name and symbol. A picture that is not there any more gives way to a sign that there is none. */
export function CoinName({ name, symbol, picture }: { name: string; symbol: string; picture: string }) {
  return (
    <span className={styles.coin}>
      <img
        src={picture}
        alt=""
        width="24"
        height="24"
        loading="lazy"
        decoding="async"
        onError={({ currentTarget }) => {
          if (!currentTarget.src.endsWith(UNKNOWN)) currentTarget.src = UNKNOWN
        }}
      />
      <span className={styles.words}>
        {name} <span className={styles.symbol}>{symbol.toUpperCase()}</span>
      </span>
    </span>
  )
}
