/** Key in localStorage for the answer of the sign-in and the investor's last figures. No other key holds personal data. */
export const SESSION_KEY = 'user-info'

/**
 * Runs in the head of every signed-in page, before the first paint. Without a session it hides the page and opens /sign-in,
 * with `why=storage` if the browser blocks its storage. It sends investors from operator pages to their overview, and
 * operators from the dashboard to the console. For operators it stores the roles on the root element, by which the navigation is
 * styled. The page's CSP contains its hash. It protects no data, and does not judge whether the session has ended: the server does both.
 */
export const guardBeforePaint = `(()=>{const q=[],d=document.documentElement;let k=null;try{k=localStorage.getItem('${SESSION_KEY}')}catch{q.push('why=storage')}try{const s=JSON.parse(k);if(s&&s.token){if(s.operator)d.dataset.roles=String(s.operator.roles).replaceAll(',',' ');const o=s.role==='operator',a=location.pathname.split('/')[1];if(a!==(o?'dashboard':'operator'))return;d.hidden=true;return location.replace(!o?'/dashboard/overview':location.pathname==='/dashboard/profile'?'/operator/account'+location.hash:'/operator')}}catch{}d.hidden=true;const p=location.pathname+location.search+location.hash;if(p!=='/dashboard/overview'&&p!=='/operator')q.unshift('next='+encodeURIComponent(p));location.replace('/sign-in'+(q[0]?'?'+q.join('&'):''))})()`
