// SPDX-License-Identifier: UNLICENSED
pragma solidity 0.8.30;

/// Passes ether on, as exchanges do when they pay out: the recipient gets it by an internal call.
contract Forwarder {
    function forward(address payable to) external payable {
        (bool succeeded, ) = to.call{value: msg.value}("");
        require(succeeded);
    }
}
