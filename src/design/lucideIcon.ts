import { type ComponentProps, createElement } from 'react'

/** An icon as lucide ships it: the parts of a drawing 24 units wide and high. */
interface IconData {
  readonly node: readonly (readonly [tag: string, attributes: Record<string, string>])[]
}

type IconProps = ComponentProps<'svg'> & { size?: number | string }

/**
 * Makes the component of an icon, in the place of lucide-react's own maker, which astro.config.mjs leaves out: the
 * contexts, aliases and checks that no icon here uses weigh more than all the icons of a page.
 */
export default function createLucideIcon(icon: IconData) {
  return (props: IconProps) => drawn(icon, props)
}

function drawn({ node }: IconData, { size = 24, ...attributes }: IconProps) {
  return createElement(
    'svg',
    {
      xmlns: 'http://www.w3.org/2000/svg',
      width: size,
      height: size,
      viewBox: '0 0 24 24',
      fill: 'none',
      stroke: 'currentColor',
      strokeWidth: 2,
      strokeLinecap: 'round',
      strokeLinejoin: 'round',
      ...attributes,
    },
    node.map(([tag, part]) => createElement(tag, part)),
  )
}
