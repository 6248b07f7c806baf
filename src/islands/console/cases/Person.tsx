import styles from './Person.module.css'

/** Who it is about: name, and the address that tells namesakes apart. */
export function Person({ name, email }: { name: string; email: string }) {
  return (
    <span className={styles.person}>
      {name}
      <span className={styles.email}>{email}</span>
    </span>
  )
}
