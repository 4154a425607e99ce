import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Session, WebContents } from 'electron';

/** The page carries the same policy itself; this one holds even if the page were another. */
const CONTENT_SECURITY_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'none'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** The window's session loads our own page's files and nothing else, and grants no permission at all. */
export function lockSession(session: Session, rendererFile: string): void {
  const folder = pathToFileURL(path.dirname(rendererFile)).href.replace(/\/?$/, '/');
  session.setPermissionRequestHandler((_contents, _permission, answer) => {
    answer(false);
  });
  session.setPermissionCheckHandler(() => false);
  session.setDevicePermissionHandler(() => false);
  session.webRequest.onBeforeRequest((details, answer) => {
    answer({ cancel: !isAllowedUrl(details.url, folder) });
  });
  session.webRequest.onHeadersReceived((details, answer) => {
    const responseHeaders = { ...details.responseHeaders, 'Content-Security-Policy': [CONTENT_SECURITY_POLICY] };
    answer({ responseHeaders });
  });
}

/** Files beside our page, small images inside it, and the developer tools' own pages. */
export function isAllowedUrl(url: string, folder: string): boolean {
  const isOurs = url.startsWith(folder) && !/%2f|%5c|\/\.\.?(\/|$)/i.test(url);
  return isOurs || url.startsWith('data:image/') || url.startsWith('devtools://');
}

/** The window shows one page for life: no other page, no further window, no embedded one. */
export function lockContents(contents: WebContents): void {
  contents.setWindowOpenHandler(() => ({ action: 'deny' }));
  contents.on('will-navigate', (event) => {
    event.preventDefault();
  });
  contents.on('will-frame-navigate', (event) => {
    event.preventDefault();
  });
  contents.on('will-attach-webview', (event) => {
    event.preventDefault();
  });
}
