import styles from './Grouped.module.css'

/** Few enough to be held in the eye while one looks at the other text. */
const GROUP = /.{1,4}/gsu

/**
 * An address in groups of four that two people, or a screen and a device, can compare. The gaps are only drawn: selecting or
 * copying it gives the text without them.
 */
export function Grouped({ text }: { text: string }) {
  const groups = Array.from(text.matchAll(GROUP), ({ 0: group, index }) => ({ group, index }))
  return (
    <code className={styles.grouped}>
      {groups.map(({ group, index }) => (
        <span key={index}>{group}</span>
      ))}
    </code>
  )
}
