import { changeWord, formatChange } from '../../contract/price.ts'
import styles from './Market.module.css'

const ARROWS = { up: '▲', down: '▼', unchanged: '' } as const

/** A change in percent: sign, arrow and word, and colour after all of them. */
export function Change({ percent }: { percent: number }) {
  const word = changeWord(percent)
  return (
    <span className={styles[word]}>
      <span aria-hidden="true">{ARROWS[word]} </span>
      <span className="visually-hidden">{word} </span>
      {formatChange(percent)}
    </span>
  )
}
