import { type ComponentPropsWithRef, createContext, type ReactNode, useContext } from 'react'
import styles from './Button.module.css'
import { joinClasses } from './classes.ts'

export interface ButtonLook {
  /** At most one primary button per view; `quiet` has no frame; `danger` is for irreversible actions. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'medium' | 'small' | 'large'
  /** Full width. */
  wide?: boolean
  icon?: ReactNode
}

export type ButtonProps = ButtonLook &
  ComponentPropsWithRef<'button'> & {
    /** An action is running: the button keeps its width and focus, and ignores clicks. */
    busy?: boolean
  }

export interface Readiness {
  /** Whether the case was shown for long enough to read. Until then its buttons are `aria-disabled` and ignore clicks. */
  readonly isRead: boolean
  /** Whether the pointer or a key has moved since. Until then clicks were meant for something else. */
  readonly hasMoved: () => boolean
}

/** When the buttons inside may be used. */
export const ButtonsWait = createContext<Readiness>({ isRead: true, hasMoved: () => true })

export function Button(props: ButtonProps) {
  const { variant, size, wide, icon, busy = false, children, className, onClick, ...button } = props
  const { isRead, hasMoved } = useContext(ButtonsWait)
  const ignoresClicks = busy || !isRead
  return (
    <button
      type="button"
      {...button}
      className={joinClasses(getButtonClass({ variant, size, wide }), className)}
      // Not `disabled`: keyboard users would lose their focus.
      aria-disabled={ignoresClicks || undefined}
      aria-busy={busy || undefined}
      onClick={(event) => {
        if (ignoresClicks || !hasMoved()) event.preventDefault()
        else onClick?.(event)
      }}
    >
      {icon}
      <span className={styles.label}>{children}</span>
    </button>
  )
}

function getButtonClass({ variant = 'secondary', size = 'medium', wide = false }: ButtonLook): string {
  return joinClasses(styles.button, styles[variant], styles[size], wide && styles.wide)
}

export type ButtonLinkProps = ButtonLook & ComponentPropsWithRef<'a'> & { href: string }

/** A link that looks like a button. Works in Astro pages without script. */
export function ButtonLink({ variant, size, wide, icon, children, className, ...link }: ButtonLinkProps) {
  return (
    <a {...link} className={joinClasses(getButtonClass({ variant, size, wide }), className)}>
      {icon}
      <span className={styles.label}>{children}</span>
    </a>
  )
}
