; Gives every AI app its settings back before the files go. An update runs the old uninstaller, too: then they stay.
!macro customUnInstall
  ${ifNot} ${isUpdated}
    ExecWait '"$INSTDIR\${APP_EXECUTABLE_FILENAME}" --restore-hosts --quiet' $0
    ; An app that still ran may have started it once more before that; from now on none does.
    Call un.checkAppRunning
  ${endIf}
!macroend
