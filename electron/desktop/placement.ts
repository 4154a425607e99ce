/**
 * True where macOS runs the app from a place that is gone after a restart: a copy that it made because the app was never
 * moved out of its download, or the image that it was downloaded in. Other apps could not start it there.
 */
export function isMisplaced(execPath: string, platform: NodeJS.Platform): boolean {
  if (platform !== 'darwin') return false;
  return execPath.includes('/AppTranslocation/') || /^\/Volumes\/[^/]+\/[^/]+\.app\//.test(execPath);
}
