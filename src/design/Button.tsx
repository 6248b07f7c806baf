import type { ComponentPropsWithRef, ReactNode } from 'react'
import styles from './Button.module.css'
import { classes } from './classes.ts'

export interface ButtonLook {
  /** One primary button a view; `quiet` has no frame; `danger` is for what can't be taken back. */
  variant?: 'primary' | 'secondary' | 'quiet' | 'danger'
  size?: 'medium' | 'small' | 'large'
  /** As wide as what holds it. */
  wide?: boolean
  icon?: ReactNode
}

export type ButtonProps = ButtonLook &
  ComponentPropsWithRef<'button'> & {
    /** Work is under way: the button keeps its width and its focus, and presses do nothing. */
    busy?: boolean
  }

/** A button that says what it does. `type` is "button" unless told otherwise. */
export function Button(props: ButtonProps) {
  const { variant, size, wide, icon, busy = false, children, className, onClick, ...button } = props
  return (
    <button
      type="button"
      {...button}
      className={classes(buttonClass({ variant, size, wide }), className)}
      // Not `disabled`: a button that loses its focus while it works leaves a keyboard user nowhere.
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? (event) => event.preventDefault() : onClick}
    >
      {icon}
      {children}
    </button>
  )
}

/** The classes of a button's look, for links that look like one. */
function buttonClass({ variant = 'secondary', size = 'medium', wide = false }: ButtonLook): string {
  return classes(styles.button, styles[variant], styles[size], wide && styles.wide)
}

export type ButtonLinkProps = ButtonLook & ComponentPropsWithRef<'a'> & { href: string }

/** A link to another page that looks like a button. Works in Astro pages without script. */
export function ButtonLink({ variant, size, wide, icon, children, className, ...link }: ButtonLinkProps) {
  return (
    <a {...link} className={classes(buttonClass({ variant, size, wide }), className)}>
      {icon}
      {children}
    </a>
  )
}
