/** Variables that make a program load, fetch or run something else than what the line says. */
export const STEERS =
  /^(?:path|pathext|node_(?!env$).*|npm_.*|prefix|ld_.*|dyld_.*|gconv_path|python(?!unbuffered$).*|pip_.*|uv_.*|bash_env|env|shell|comspec|systemroot|perl.*|ruby.*|docker_.*|dotnet_.*|nuget_.*|electron_.*|https?_proxy|all_proxy|ssl_.*|openssl_.*|git_.*|home|userprofile|appdata|localappdata|xdg_.*)$/i;
