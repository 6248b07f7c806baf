import { createElement, type ReactNode, useMemo } from 'react'
import type { UserInfo } from '../../../contract/identity/userInfo.ts'
import { Button } from '../../../design/Button.tsx'
import { Modal } from '../../../design/Modal.tsx'
import { OwnAmounts } from '../../../design/Money.tsx'

interface NotificationWindowProps {
  title: string
  content: string
  open: boolean
  onClose: () => void
}

export function NotificationWindow({ title, content, open, onClose }: NotificationWindowProps) {
  return (
    <Modal
      open={open}
      onClose={onClose}
      title={title}
      actions={
        <Button variant="primary" onClick={onClose}>
          Okay
        </Button>
      }
    >
      <NotificationContent content={content} />
    </Modal>
  )
}

export function NotificationContent({ content }: { content: string }) {
  const shown = useMemo(() => parseContent(content), [content])
  return <div className="prose">{shown}</div>
}

/** The same elements as the Worker's `toSafeHtml` allows. */
const ELEMENTS = new Set('p br b strong i em u ul ol li a h3 h4 blockquote code'.split(' '))
/** A web or mail address, or a path of this site. */
const ADDRESS = /^(?:https?:\/\/|mailto:|\/(?!\/))/i

/**
 * The HTML of a notification as React elements. The Worker has sanitised it. This is the second line of defence: it
 * creates only the allowed elements and attributes.
 */
function parseContent(html: string): ReactNode[] {
  // Documents parsed this way run no scripts and load no resources.
  const parsed = new DOMParser().parseFromString(toTrustedHtml(html), 'text/html')
  return renderChildren(parsed.body)
}

function renderChildren(parent: Node): ReactNode[] {
  return [...parent.childNodes].map((node, index) => renderNode(node, index))
}

function renderNode(node: Node, key: number): ReactNode {
  if (node.nodeType === Node.TEXT_NODE) {
    const text = node.textContent ?? ''
    return text.includes('$') ? createElement(OwnAmounts, { key, text }) : text
  }
  if (!(node instanceof Element) || isHiddenText(node)) return null
  const name = node.localName
  if (!ELEMENTS.has(name)) return renderChildren(node)
  if (name === 'br') return createElement('br', { key })
  return createElement(name, { key, ...getLinkProps(node) }, ...renderChildren(node))
}

/** Elements whose text content must not be shown. */
function isHiddenText(element: Element): boolean {
  return /^(?:script|style|template|noscript|iframe|object|textarea|title)$/i.test(element.localName)
}

function getLinkProps(element: Element): { href?: string; rel?: string } {
  const href = element.getAttribute('href')?.trim() ?? ''
  return element.localName === 'a' && ADDRESS.test(href) ? { href, rel: 'noopener noreferrer' } : {}
}

interface Policy {
  createHTML(html: string): string
}

let policy: Policy | null = null

/** For Trusted Types. The page's content security policy allows only this policy. */
function toTrustedHtml(html: string): string {
  const factory = (globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } })
    .trustedTypes
  if (factory === undefined) return html
  policy ??= factory.createPolicy('notification-text', { createHTML: (text) => text })
  return policy.createHTML(html)
}

export function isDue(notification: UserInfo['notification'] | undefined): boolean {
  return Boolean(notification?.title && notification.content && !notification.seen)
}
