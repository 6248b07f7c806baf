import type { ComponentPropsWithRef } from 'react'
import { type ButtonLook, buttonClass } from './Button.tsx'
import { classes } from './classes.ts'

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
