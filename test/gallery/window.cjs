// A bare window for one page, locked down like the app's.
const { app, BrowserWindow } = require('electron');

void app.whenReady().then(() => {
  const window = new BrowserWindow({
    width: 900,
    height: 640,
    useContentSize: true,
    webPreferences: { sandbox: true, contextIsolation: true, nodeIntegration: false, spellcheck: false },
  });
  void window.loadFile(process.argv.at(-1));
});
