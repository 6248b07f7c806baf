import { type ComponentPropsWithRef, createContext, type ReactNode, useContext } from 'react'
import styles from './Button.module.css'
import { classes } from './classes.ts'

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

/** Whether the buttons inside ignore clicks for now. */
export const ButtonsWait = createContext(false)

export function Button(props: ButtonProps) {
  const { variant, size, wide, icon, busy = false, children, className, onClick, ...button } = props
  const ignoresClicks = useContext(ButtonsWait) || busy
  return (
    <button
      type="button"
      {...button}
      className={classes(buttonClass({ variant, size, wide }), className)}
      // Not `disabled`: keyboard users would lose their focus.
      aria-disabled={ignoresClicks || undefined}
      aria-busy={busy || undefined}
      onClick={ignoresClicks ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      {children}
    </button>
  )
}

function buttonClass({ variant = 'secondary', size = 'medium', wide = false }: ButtonLook): string {
  return classes(styles.button, styles[variant], styles[size], wide && styles.wide)
}

export type ButtonLinkProps = ButtonLook & ComponentPropsWithRef<'a'> & { href: string }

/** A link that looks like a button. Works in Astro pages without script. */
export function ButtonLink({ variant, size, wide, icon, children, className, ...link }: ButtonLinkProps) {
  return (
    <a {...link} className={classes(buttonClass({ variant, size, wide }), className)}>
      {icon}
      {children}
    </a>
  )
}
